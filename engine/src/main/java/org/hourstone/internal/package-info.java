/** Classes shared by several packages of the engine. Not part of the API. */
@NullMarked
package org.hourstone.internal;

import org.jspecify.annotations.NullMarked;
