/**
 * The guarantees of the engine on any store, as tests: {@link
 * org.hourstone.testing.HourstoneContract} runs all of them. Not published; backends run it in
 * their tests.
 */
@NullMarked
package org.hourstone.testing;

import org.jspecify.annotations.NullMarked;
