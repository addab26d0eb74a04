/** What endpoints share: dialects, bodies of JSON and their values, parameters, errors, limits. */
@NullMarked
package org.hourstone.api.endpoint;

import org.jspecify.annotations.NullMarked;
