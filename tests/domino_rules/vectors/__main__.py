from tests.domino_rules.vectors import FILES, answered, text_of

for file in FILES:
    file.write_text(text_of(answered(file)))
