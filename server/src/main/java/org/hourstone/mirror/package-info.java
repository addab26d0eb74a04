/**
 * Sends the points that a database is given to another server, too. They are queued in files before
 * they are acknowledged, and sent from there by a thread of its own.
 */
@NullMarked
package org.hourstone.mirror;

import org.jspecify.annotations.NullMarked;
