/**
 * How long data is kept: rules, the rows that have expired by them, which reads don't return, and
 * the run that deletes these rows. See {@code docs/retention.md}.
 */
@NullMarked
package org.hourstone.retention;

import org.jspecify.annotations.NullMarked;
