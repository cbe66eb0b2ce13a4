"""tf.contrib.testing: looks at summaries and event files."""

from tf1compat.api.summary.writer import fake_summary_writer as fake_summary_writer
