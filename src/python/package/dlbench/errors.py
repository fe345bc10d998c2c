"""Why there is no answer: one class for each kind of reason, all of them a ``DlbenchError``."""

from __future__ import annotations


class DlbenchError(Exception):
    """There is no answer.

    ``str(error)`` says what is wrong and what to do; ``message`` and ``help`` are the parts of it, and ``near`` holds ids or names
    that are near to what was not found.
    """

    message: str
    help: str | None
    near: list[str]

    def __init__(self, message: str, help: str | None = None, near: list[str] | None = None) -> None:
        super().__init__(message, help, near)
        self.message = message
        self.help = help
        self.near = list(near or [])

    def __str__(self) -> str:
        if self.help is None or self.help in self.message:
            return self.message
        return f"{self.message}\nhelp: {self.help}"


class QuestionError(DlbenchError, ValueError):
    """The request has a mistake: in a question it is shown with a caret under its place."""


class NotFoundError(DlbenchError, LookupError):
    """Not found, or nothing that has a value."""


class KnowledgeBaseError(DlbenchError, RuntimeError):
    """The knowledge base cannot be opened, or fails."""


class KnowledgeBaseWarning(UserWarning):
    """Part of the knowledge base could not be used: a file with mistakes, the cache, the pulled snapshot."""
