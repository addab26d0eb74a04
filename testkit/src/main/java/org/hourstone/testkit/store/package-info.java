/**
 * Stores for tests: a simple reference ({@link org.hourstone.testkit.store.ModelStore}) and
 * wrappers around any store which check its callers ({@link
 * org.hourstone.testkit.store.AssertingStore}), make it fail ({@link
 * org.hourstone.testkit.store.FaultyStore}) and count its calls ({@link
 * org.hourstone.testkit.store.RecordingStore}).
 */
@NullMarked
package org.hourstone.testkit.store;

import org.jspecify.annotations.NullMarked;
