package org.hourstone.write;

/**
 * A receipt of points that are worth one attempt only once the store has failed all attempts of a
 * batch, until it accepts another one: its first failure ends what its caller does.
 */
interface SoonGivenUp extends Receipt {}
