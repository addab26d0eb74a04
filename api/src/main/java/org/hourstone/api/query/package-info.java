/** Queries, expressions, graphs, last points and annotations. */
@NullMarked
package org.hourstone.api.query;

import org.jspecify.annotations.NullMarked;
