/** Random histories of a database that rolls up its points and deletes them, and their model. */
@NullMarked
package org.hourstone.testing.life;

import org.jspecify.annotations.NullMarked;
