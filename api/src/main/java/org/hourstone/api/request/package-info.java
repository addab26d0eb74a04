/** Requests and responses, as a transport sees them, and what a server offers to endpoints. */
@NullMarked
package org.hourstone.api.request;

import org.jspecify.annotations.NullMarked;
