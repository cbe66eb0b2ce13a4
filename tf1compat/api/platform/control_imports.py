"""`tensorflow.python.platform.control_imports`: the open-source variants are used."""

USE_OSS = True
OSS_APP = OSS_FLAGS = OSS_GFILE = OSS_GOOGLETEST = OSS_LOGGING = OSS_PARAMETERIZED = USE_OSS
