/** The guarantees of names and their UIDs: made, changed, checked and repaired. */
@NullMarked
package org.hourstone.testing.names;

import org.jspecify.annotations.NullMarked;
