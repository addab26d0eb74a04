/** The commands, one class each, and the runs of those that take long. */
@NullMarked
package org.hourstone.tsd.command;

import org.jspecify.annotations.NullMarked;
