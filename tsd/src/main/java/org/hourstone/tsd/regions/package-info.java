/**
 * {@code regions}, {@code status} and {@code writers}: how the tables of a store are divided
 * between its servers, where they could be split, what an operator should change, and the journals
 * of writers. See {@code docs/daemons.md}.
 */
@NullMarked
package org.hourstone.tsd.regions;

import org.jspecify.annotations.NullMarked;
