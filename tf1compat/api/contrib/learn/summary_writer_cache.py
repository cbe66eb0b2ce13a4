"""`tensorflow.contrib.learn.python.learn.summary_writer_cache`: names from before it moved."""

from tf1compat.api.training import summary_io

SummaryWriterCache = summary_io.SummaryWriterCache
clear_summary_writers = SummaryWriterCache.clear
get_summary_writer = SummaryWriterCache.get
