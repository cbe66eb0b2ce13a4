"""`tensorflow.python.platform.status_bar`: there is a status bar within Google only."""


def SetupStatusBarInsideGoogle(unused_link_text: object, unused_port: object) -> None:
    """Does nothing, as in TF 1.15 outside of Google."""
