/**
 * The contract of {@link org.hourstone.kv.KeyValueStore} as tests for any backend. Start with
 * {@link org.hourstone.testkit.KeyValueStoreContract}; {@code docs/write-your-own-backend.md} is
 * the guide.
 *
 * <p>System properties:
 *
 * <ul>
 *   <li>{@code hourstone.contract.seed}: the seed of all random values (a number; fixed by default)
 *   <li>{@code hourstone.contract.scripts}: the number of random scripts that {@link
 *       org.hourstone.testkit.ModelContract} runs (default 40)
 *   <li>{@code hourstone.contract.kills}: the number of times that {@link
 *       org.hourstone.testkit.DurabilityContract} kills the writing process (default 3)
 * </ul>
 */
@NullMarked
package org.hourstone.testkit;

import org.jspecify.annotations.NullMarked;
