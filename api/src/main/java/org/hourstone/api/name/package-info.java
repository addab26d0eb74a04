/** Names, their metadata, look-ups and trees. */
@NullMarked
package org.hourstone.api.name;

import org.jspecify.annotations.NullMarked;
