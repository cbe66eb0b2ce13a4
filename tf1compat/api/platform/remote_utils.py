"""`tensorflow.python.platform.remote_utils`: how processes talk to each other."""


def get_default_communication_protocol() -> str:
    """The protocol that addresses of servers begin with."""
    return "grpc"
