"""Why the operating system refused a file, in words that can be translated."""

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
        errno.EDQUOT: N_("the space allowed to you is used up"),
        errno.EISDIR: N_("it is a folder"),
        errno.ENOTDIR: N_("a part of the path is a file, not a folder"),
        errno.ENAMETOOLONG: N_("the name is too long"),
        errno.ELOOP: N_("its links lead in a circle"),
        errno.EMFILE: N_("too many files are open"),
        errno.EIO: N_("the disk reports a fault"),
        errno.ETXTBSY: N_("another program uses it"),
        errno.EBUSY: N_("another program uses it"),
    }
)


def refusal(error: Exception) -> Message | str:
    """The reason of `error`; one without a translation in its own words."""
    known = _REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
    return Message(known) if known else getattr(error, "strerror", None) or str(error)
