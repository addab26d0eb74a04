/** Formats the output of commands. Knows no command. */
@NullMarked
package org.hourstone.tsd.view;

import org.jspecify.annotations.NullMarked;
