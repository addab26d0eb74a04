/** Points, rolled-up values and histograms from bodies of JSON. */
@NullMarked
package org.hourstone.api.put;

import org.jspecify.annotations.NullMarked;
