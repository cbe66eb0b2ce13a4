"""`tensorflow.python.ops.linalg.linalg`: all that is below `tf.linalg`."""

from tf1compat.api.linalg.linalg_impl import *  # noqa: F403
from tf1compat.api.linalg.linear_operator import LinearOperator as LinearOperator
from tf1compat.api.linalg.linear_operator_adjoint import (
    LinearOperatorAdjoint as LinearOperatorAdjoint,
)
from tf1compat.api.linalg.linear_operator_block_diag import (
    LinearOperatorBlockDiag as LinearOperatorBlockDiag,
)
from tf1compat.api.linalg.linear_operator_circulant import (
    LinearOperatorCirculant as LinearOperatorCirculant,
)
from tf1compat.api.linalg.linear_operator_circulant import (
    LinearOperatorCirculant2D as LinearOperatorCirculant2D,
)
from tf1compat.api.linalg.linear_operator_circulant import (
    LinearOperatorCirculant3D as LinearOperatorCirculant3D,
)
from tf1compat.api.linalg.linear_operator_composition import (
    LinearOperatorComposition as LinearOperatorComposition,
)
from tf1compat.api.linalg.linear_operator_diag import (
    LinearOperatorDiag as LinearOperatorDiag,
)
from tf1compat.api.linalg.linear_operator_full_matrix import (
    LinearOperatorFullMatrix as LinearOperatorFullMatrix,
)
from tf1compat.api.linalg.linear_operator_householder import (
    LinearOperatorHouseholder as LinearOperatorHouseholder,
)
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity as LinearOperatorIdentity,
)
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorScaledIdentity as LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_inversion import (
    LinearOperatorInversion as LinearOperatorInversion,
)
from tf1compat.api.linalg.linear_operator_kronecker import (
    LinearOperatorKronecker as LinearOperatorKronecker,
)
from tf1compat.api.linalg.linear_operator_low_rank_update import (
    LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate,
)
from tf1compat.api.linalg.linear_operator_lower_triangular import (
    LinearOperatorLowerTriangular as LinearOperatorLowerTriangular,
)
from tf1compat.api.linalg.linear_operator_toeplitz import (
    LinearOperatorToeplitz as LinearOperatorToeplitz,
)
from tf1compat.api.linalg.linear_operator_zeros import (
    LinearOperatorZeros as LinearOperatorZeros,
)
