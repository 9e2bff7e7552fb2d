"""What all tests share."""

import signal

# A shell that starts a command in the background lets it ignore interrupts, and everything that it starts as well. The tests
# that interrupt a turn would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
