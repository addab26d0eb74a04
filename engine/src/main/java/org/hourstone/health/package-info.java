/**
 * Whether the store answers: every call of the engine to its store is watched, so that an outage
 * and its end are logged and can be queried without a call of the store.
 */
@NullMarked
package org.hourstone.health;

import org.jspecify.annotations.NullMarked;
