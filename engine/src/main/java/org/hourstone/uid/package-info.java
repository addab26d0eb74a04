/**
 * Names and the UIDs that stand for them in row keys: the UID table, how a new UID is assigned
 * without ever giving a name two, and what a name may be made of. See {@code docs/format/uid.md}.
 */
@NullMarked
package org.hourstone.uid;

import org.jspecify.annotations.NullMarked;
