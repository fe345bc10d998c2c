"""Workers that do other work than was asked for, each in one way, for the tests of the output check: `make test-workers`."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

KIND = sys.argv.pop(1)


def changed(module):
    """ResNet-18 with one mistake, after its weights were loaded."""
    if KIND == "wrong-padding":
        module.conv1.padding = (2, 2)
    elif KIND == "no-batch-norm":
        module.layer2[0].bn1.forward = lambda x: x
    elif KIND == "train-mode":
        module.train()
    elif KIND == "other-weights":
        module.fc.reset_parameters()


def pytorch():
    import pytorch_worker

    class Mutant(pytorch_worker.PyTorchWorkload):
        def compare(self):
            changed(self.module)
            super().compare()

    pytorch_worker.serve(pytorch_worker.greeting(), Mutant, pytorch_worker.export)


def openvino():
    import openvino_worker

    class Mutant(openvino_worker.OpenVinoWorkload):
        def compile(self, core, model, wanted):
            # As a program does that gives no hint.
            return core.compile_model(model, "CPU")

    openvino_worker.OpenVinoWorkload = Mutant
    openvino_worker.main()


openvino() if KIND == "silent-bf16" else pytorch()
