"""Python 2's `urllib` and `urllib2`, in one."""

import urllib
from urllib import error, parse, request, response, robotparser  # noqa: F401
from urllib.error import *  # noqa: F403
from urllib.parse import *  # noqa: F403
from urllib.request import *  # noqa: F403
from urllib.request import proxy_bypass, splittype  # noqa: F401

__path__ = urllib.__path__
