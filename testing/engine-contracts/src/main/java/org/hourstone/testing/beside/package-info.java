/** Random requests to a server and to an OpenTSDB over the same tables. */
@NullMarked
package org.hourstone.testing.beside;

import org.jspecify.annotations.NullMarked;
