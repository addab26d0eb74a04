/**
 * Names and the UIDs that represent them in row keys: the UID table, assigning a new UID without
 * ever giving a name two, and the rules for names. See {@code docs/format/uid.md}.
 */
@NullMarked
package org.hourstone.uid;

import org.jspecify.annotations.NullMarked;
