/** Messages in the wire format of Protocol Buffers, which several protocols have. */
@org.jspecify.annotations.NullMarked
package org.hourstone.api.proto;
