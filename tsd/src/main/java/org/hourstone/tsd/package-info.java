/**
 * The command line: {@code Main} runs one command per process. See {@code docs/cli.md}.
 *
 * <p>Commands don't touch the system's streams, nor do they end the process: they receive {@link
 * org.hourstone.tsd.Streams} and return an exit code, so that tests run them in the same process.
 * Views format their output; views don't depend on commands.
 */
@NullMarked
package org.hourstone.tsd;

import org.jspecify.annotations.NullMarked;
