/** Protocols other than OpenTSDB's: what they have in common. See {@code docs/doors.md}. */
@org.jspecify.annotations.NullMarked
package org.hourstone.api.door;
