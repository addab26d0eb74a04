/**
 * {@code compare}: two servers that speak OpenTSDB's HTTP API, the requests that both are asked,
 * what each answers, and how the answers differ. See {@code docs/cli.md}.
 */
@NullMarked
package org.hourstone.tsd.compare;

import org.jspecify.annotations.NullMarked;
