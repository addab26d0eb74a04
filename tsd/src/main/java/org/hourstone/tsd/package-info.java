/**
 * The command line: {@code Main} runs one command per process. See {@code docs/cli.md}.
 *
 * <p>Commands don't use the system's streams and don't end the process: they receive {@link
 * org.hourstone.tsd.Streams} and return an exit code, so that tests can run them in their own
 * process. Views format their output; views don't depend on commands.
 */
@NullMarked
package org.hourstone.tsd;

import org.jspecify.annotations.NullMarked;
