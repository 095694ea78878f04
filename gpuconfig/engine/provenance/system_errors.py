"""Why the operating system or SQLite refused a file, in words that can be translated."""

from __future__ import annotations

import errno
from types import MappingProxyType

from gpuconfig.engine.provenance.message import N_, Message

_REASONS = MappingProxyType(
    {
        errno.ENOENT: N_("no such file or folder"),
        errno.EACCES: N_("no permission"),
        errno.EPERM: N_("no permission"),
        errno.EROFS: N_("the disk is read-only"),
        errno.ENOSPC: N_("the disk is full"),
        errno.EFBIG: N_("the file is larger than allowed"),
        errno.EDQUOT: N_("the space allowed to you is used up"),
        errno.EISDIR: N_("it is a folder"),
        errno.ENOTDIR: N_("a part of the path is a file, not a folder"),
        errno.ENAMETOOLONG: N_("the name is too long"),
        errno.ELOOP: N_("its links lead in a circle"),
        errno.EMFILE: N_("too many files are open"),
        errno.EIO: N_("the disk reports a fault"),
        errno.EBADF: N_("it is closed"),
        errno.ETXTBSY: N_("another program uses it"),
        errno.EBUSY: N_("another program uses it"),
    }
)
_DATABASE_REASONS = MappingProxyType(
    {
        "database or disk is full": _REASONS[errno.ENOSPC],
        "attempt to write a readonly database": _REASONS[errno.EACCES],
        "database is locked": _REASONS[errno.EBUSY],
        "disk I/O error": _REASONS[errno.EIO],
        "database disk image is malformed": N_("its content is damaged"),
        "file is not a database": N_("its content is that of another program"),
        "unable to open database file": N_("it cannot be opened: no permission, or a folder"),
    }
)


def refusal(error: Exception) -> Message | str:
    """The reason of `error`; one without a translation in its own words."""
    known = (
        _REASONS.get(error.errno or 0) if isinstance(error, OSError) else _DATABASE_REASONS.get(str(error))
    )
    return Message(known) if known else getattr(error, "strerror", None) or str(error)
