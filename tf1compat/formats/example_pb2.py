"""The messages of TF's example.proto, and the public names of all that is made for it."""

from tf1compat.core.example_protos import messages
from tf1compat.core.export import export_constant

Example = messages["Example"]
SequenceExample = messages["SequenceExample"]

for _name, _message in messages.items():
    export_constant(f"train.{_name}", _message)
