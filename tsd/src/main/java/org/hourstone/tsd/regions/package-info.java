/**
 * {@code regions} and {@code status}: how the tables of a store are divided between its servers,
 * where they could be split, and what an operator should change. See {@code docs/daemons.md}.
 */
@NullMarked
package org.hourstone.tsd.regions;

import org.jspecify.annotations.NullMarked;
