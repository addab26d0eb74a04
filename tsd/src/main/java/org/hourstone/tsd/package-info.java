/**
 * The command line: {@code Main} runs one command per process. See {@code docs/cli.md}.
 *
 * <p>Commands don't use the system's streams and don't end the process: they receive {@link
 * org.hourstone.tsd.terminal.Streams} and return an exit code, so that tests can run commands
 * within the test process. Views format the output of commands and don't depend on them.
 */
@NullMarked
package org.hourstone.tsd;

import org.jspecify.annotations.NullMarked;
