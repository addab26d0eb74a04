@NullMarked
package org.hourstone.bench;

import org.jspecify.annotations.NullMarked;
