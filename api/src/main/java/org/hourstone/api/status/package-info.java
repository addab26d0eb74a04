/** What the process and its database report of themselves. */
@NullMarked
package org.hourstone.api.status;

import org.jspecify.annotations.NullMarked;
