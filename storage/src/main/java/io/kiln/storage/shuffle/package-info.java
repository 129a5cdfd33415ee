/// Records by key: combining, sorting, and shuffles. The door is [TaskShuffles].
package io.kiln.storage.shuffle;
