/**
 * The command line: {@code Main} runs one command per process. See {@code docs/cli.md}.
 *
 * <p>Commands don't touch the system's streams, nor do they end the process: they are given {@link
 * org.hourstone.tsd.Streams} and answer an exit code, so that tests run them in place. What they
 * show is put together by views, which know nothing of commands.
 */
@NullMarked
package org.hourstone.tsd;

import org.jspecify.annotations.NullMarked;
