/**
 * For JUnit tests of programs that use Hourstone: {@link org.hourstone.junit.HourstoneExtension}
 * opens a database for each test or class, and {@link org.hourstone.junit.SeriesAssert} compares
 * the series that queries return. See {@code docs/testing.md}.
 */
@NullMarked
package org.hourstone.junit;

import org.jspecify.annotations.NullMarked;
