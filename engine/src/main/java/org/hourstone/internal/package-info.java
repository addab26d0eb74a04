/** What several packages of the engine share. No promise to anybody outside. */
@NullMarked
package org.hourstone.internal;

import org.jspecify.annotations.NullMarked;
