/**
 * The text of pages, Javadoc and messages. These tests read files and use none of our classes, so
 * they are the first of a build: a wrong word does not fail it after twenty minutes.
 */
@NullMarked
package org.hourstone.pages;

import org.jspecify.annotations.NullMarked;
