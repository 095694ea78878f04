"""Turns an engine's `Message` into a sentence of the reader's language."""

from gpuconfig.engine.provenance.message import Message
from gpuconfig.i18n.translator import Translator


def render(message: Message, translator: Translator) -> str:
    """`message` in the translator's language, its values formatted for that language.

    Integers are grouped, floats get three significant digits, a `Figure` its unit and band; a `Message` or an
    enumeration member is translated; of a plain string, a name, the generic words are. None reads "unknown".
    """
    text = translator.gettext(message.text)
    if not message.values:
        return text
    from gpuconfig.i18n.filling import fill  # decimal, money and dates: the first window fills nothing in

    return fill(text, message.values, translator)
