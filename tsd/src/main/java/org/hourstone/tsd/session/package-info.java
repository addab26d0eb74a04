/** The context of a command: options, settings, the store, progress, errors and exit codes. */
@NullMarked
package org.hourstone.tsd.session;

import org.jspecify.annotations.NullMarked;
