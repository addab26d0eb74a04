/** Requests and responses, whichever endpoint they are for: their bodies, parameters, errors and refusals. */
@NullMarked
package org.hourstone.api.request;

import org.jspecify.annotations.NullMarked;
