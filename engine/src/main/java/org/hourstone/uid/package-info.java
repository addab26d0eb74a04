/**
 * Names and the UIDs that represent them in row keys: the UID table, the assignment of UIDs (never
 * two for a name), and the rules for names. See {@code docs/format/uid.md}.
 */
@NullMarked
package org.hourstone.uid;

import org.jspecify.annotations.NullMarked;
