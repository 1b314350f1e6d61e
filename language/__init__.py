"""What is known of languages: words, sentences, which language a text is in, and the sentences we say in each."""
